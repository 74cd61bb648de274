//! Metrics of the pools of connections, and of what they connect to.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// The connections of a pool at one moment.
#[derive(Clone, Copy, Debug)]
pub struct PoolState {
    pub in_use: usize,
    pub idle: usize,
    pub max: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PoolLabels {
    service: &'static str,
    pool: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ConnectionLabels {
    service: &'static str,
    pool: &'static str,
    /// `in_use` or `idle`.
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ServiceLabels {
    service: &'static str,
}

#[derive(Debug, Default)]
pub(super) struct Pools {
    connections: Family<ConnectionLabels, Gauge>,
    connections_max: Family<PoolLabels, Gauge>,
    up: Family<ServiceLabels, Gauge>,
    /// Without labels, and absent until it is set.
    protected: Family<[(&'static str, &'static str); 0], Gauge>,
}

impl Pools {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register("pool_connections", "Connections of each pool", self.connections.clone());
        registry.register("pool_connections_max", "The most connections of each pool", self.connections_max.clone());
        registry.register("service_up", "1 while a service answers, else 0", self.up.clone());
        registry.register(
            "database_protected",
            "1 while a synchronous standby has all that is saved, else 0",
            self.protected.clone(),
        );
    }

    pub(super) fn set(&self, service: &'static str, pool: &'static str, state: PoolState) {
        for (name, count) in [("in_use", state.in_use), ("idle", state.idle)] {
            self.connections.get_or_create(&ConnectionLabels { service, pool, state: name }).set(whole(count));
        }
        self.connections_max.get_or_create(&PoolLabels { service, pool }).set(whole(state.max));
    }

    pub(super) fn set_protected(&self, is_protected: bool) {
        self.protected.get_or_create(&[]).set(i64::from(is_protected));
    }

    pub(super) fn set_up(&self, service: &'static str, is_up: bool) {
        self.up.get_or_create(&ServiceLabels { service }).set(i64::from(is_up));
    }
}

fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
