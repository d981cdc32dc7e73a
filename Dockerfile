# syntax=docker/dockerfile:1

# One small image: the server, its packages and the built app. Nothing is written outside /data, so the root filesystem
# may be read-only; docs/deploy says how to run it.

FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS build
WORKDIR /srv/dwang
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node node_modules/vite/bin/vite.js build

FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS packages
WORKDIR /srv/dwang
COPY package.json package-lock.json .npmrc ./
# No install scripts: the one that matters brings Node, and the base image has it.
RUN npm ci --omit=dev --ignore-scripts

FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20
ENV NODE_ENV=production PORT=8080 DATA_DIR=/data
WORKDIR /srv/dwang
RUN install --directory --owner=node --group=node --mode=0700 /data
COPY --from=packages /srv/dwang/node_modules node_modules
COPY package.json ./
COPY shared shared
COPY sync-server sync-server
COPY scripts scripts
COPY --from=build /srv/dwang/dist dist
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 CMD ["node", "sync-server/ops/health/probe.ts"]
CMD ["node", "sync-server/main.ts"]
