//! Metrics of the edge: the server's own certificate, connections that never came to a request, and what is put off
//! while saves are late.

use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CertificateLabels {
    /// Where it was read from.
    file: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ShedLabels {
    work: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ConnectionLabels {
    cause: &'static str,
}

#[derive(Debug, Default)]
pub struct EdgeMetrics {
    /// Only there with a certificate: an alarm compares it with the time.
    certificate_ends: Family<CertificateLabels, Gauge>,
    /// Pairs of files that could not be used.
    pub certificates_refused: Counter,
    refused_connections: Family<ConnectionLabels, Counter>,
    save_delay: Gauge<f64, AtomicU64>,
    shed: Family<ShedLabels, Counter>,
}

impl EdgeMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register_with_unit(
            "tls_certificate_expiry_timestamp",
            "When the server's own certificate ends",
            Unit::Seconds,
            self.certificate_ends.clone(),
        );
        registry.register(
            "tls_certificates_refused",
            "Certificates or keys that were there and could not be used",
            self.certificates_refused.clone(),
        );
        registry.register(
            "connections_refused",
            "Connections that ended before their first request",
            self.refused_connections.clone(),
        );
        registry.register_with_unit(
            "save_delay",
            "How long answers wait to be saved at the moment",
            Unit::Seconds,
            self.save_delay.clone(),
        );
        registry.register("shed", "Work that could wait and was refused while saves were late", self.shed.clone());
    }

    /// Notes until when the certificate of a file is good, in seconds since 1970.
    pub fn set_certificate_end(&self, file: String, seconds: i64) {
        self.certificate_ends.get_or_create(&CertificateLabels { file }).set(seconds);
    }

    /// Counts a connection that ended before its first request.
    pub fn refused_connection(&self, cause: &'static str) {
        self.refused_connections.get_or_create(&ConnectionLabels { cause }).inc();
    }

    /// Shows a cause before the first such connection, as [`Self::show_shed`] does.
    pub fn show_refused_connection(&self, cause: &'static str) {
        drop(self.refused_connections.get_or_create(&ConnectionLabels { cause }));
    }

    pub fn set_save_delay(&self, seconds: f64) {
        self.save_delay.set(seconds);
    }

    /// Counts work of a kind that was refused.
    pub fn shed(&self, work: &'static str) {
        self.shed.get_or_create(&ShedLabels { work }).inc();
    }

    /// Shows a kind of work before anything of it was refused: an alarm can only compare with a figure that is there.
    pub fn show_shed(&self, work: &'static str) {
        drop(self.shed.get_or_create(&ShedLabels { work }));
    }
}
