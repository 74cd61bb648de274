# syntax=docker/dockerfile:1
# Exam Hall in a container: one binary, without a shell, for a user who may write to one folder only.
#
#   docker build --tag examhall .                            the server
#   docker build --tag examhall-tools --target tools .       with pg_dump, for backups of Postgres
#
# The binary is built where the tests run it: on Debian 12 with its C library. docs/two-servers.md has the rest.

FROM node:22-bookworm-slim AS pages
WORKDIR /build/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web ./
RUN node build.js --outDir /pages --emptyOutDir

FROM rust:1.94-bookworm AS build
WORKDIR /build
COPY . .
COPY --from=pages /pages /pages
# The pages are built already, so that npm is not needed here.
ENV WEB_DIST=/pages
RUN --mount=type=cache,target=/usr/local/cargo/registry,sharing=locked \
    --mount=type=cache,target=/build/target,sharing=locked \
    cargo build --locked --package examhall --profile dist \
    && install -D --mode=0555 target/dist/examhall /made/usr/local/bin/examhall \
    && install --directory --owner=65532 --group=65532 --mode=0700 /made/var/lib/examhall

FROM debian:bookworm-slim AS tools
# The major version of the client programs is that of the database (docs/year-of-care.md).
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates postgresql-client-15 \
    && rm -rf /var/lib/apt/lists/* \
    && install --directory --owner=65532 --group=65532 --mode=0700 /backups
COPY --from=build /made /
USER 65532:65532
WORKDIR /var/lib/examhall
ENTRYPOINT ["/usr/local/bin/examhall"]
CMD ["--help"]

# The C library, certificates and time zones of Debian 12, and nothing else.
FROM gcr.io/distroless/cc-debian12:nonroot AS server
COPY --from=build /made /
USER 65532:65532
WORKDIR /var/lib/examhall
# On all addresses of the container, so that AUTH_SECRET must be set. The root file system may be read only.
ENV BIND=0.0.0.0:8080 \
    DATABASE_URL=sqlite:///var/lib/examhall/examhall.db
VOLUME /var/lib/examhall
EXPOSE 8080
STOPSIGNAL SIGTERM
# Whether it lives: a database that is away is no reason to throw away what is not saved yet.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 CMD ["/usr/local/bin/examhall", "health"]
ENTRYPOINT ["/usr/local/bin/examhall"]
CMD ["serve"]
