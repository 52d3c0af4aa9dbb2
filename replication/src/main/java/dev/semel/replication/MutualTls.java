package dev.semel.replication;

import java.nio.file.Path;

/**
 * TLS between members, in both directions: each presents a certificate that the authorities have signed. PEM files; one
 * file may hold certificate and key.
 */
public record MutualTls(Path certificates, Path privateKey, Path authorities) {}
