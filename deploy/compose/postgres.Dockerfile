# Postgres with pg_auto_failover, as Debian 12 packages both: one image for the monitor and for the two databases.
# Built in deploy/, by deploy/compose.yaml.

FROM debian:bookworm-slim
# Without the database that the packages would make by themselves.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-common \
    && sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf \
    && apt-get install --yes --no-install-recommends pg-auto-failover-cli postgresql-15 postgresql-15-auto-failover \
    && rm -rf /var/lib/apt/lists/* \
    && install --directory --owner=postgres --group=postgres --mode=0700 /var/lib/postgresql/failover
COPY --chmod=0555 compose/run-monitor compose/run-database /usr/local/bin/
COPY --chmod=0444 pgautofailover-monitor.conf pgautofailover-node.conf /etc/examhall/
USER postgres
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin \
    PGDATA=/var/lib/postgresql/failover/data \
    XDG_CONFIG_HOME=/var/lib/postgresql/failover/config \
    XDG_DATA_HOME=/var/lib/postgresql/failover/state
VOLUME /var/lib/postgresql/failover
# A planned stop: pg_autoctl passes it on to Postgres.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=6 CMD ["pg_isready", "--quiet", "--host=127.0.0.1"]
CMD ["run-database"]
