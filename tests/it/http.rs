//! What all routes share: whose request it is and how much they may send, `HEAD`, compression, and what pages of other
//! sites may read; TLS, and what proxies say of connections.

mod addresses;
mod bodies;
mod compression;
mod destinations;
mod head;
mod parameters;
mod proxied;
mod tls;
