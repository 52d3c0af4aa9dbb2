package dev.semel.wire.tls;

import dev.semel.wire.FileFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Certificates, and perhaps a private key, in one file. Whatever is wrong with it is an {@link IOException} that names it. */
public final class PemFile {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final String CERTIFICATE = "CERTIFICATE";

    private final Path path;
    private final List<Block> blocks;

    /** One thing in the file; the content is in base 64. */
    record Block(String kind, String content) {
        byte[] bytes() {
            return Base64.getMimeDecoder().decode(content);
        }
    }

    private PemFile(Path path, List<Block> blocks) {
        this.path = path;
        this.blocks = blocks;
    }

    public static PemFile read(Path path) throws IOException {
        String text;
        try {
            text = Files.readString(path, StandardCharsets.US_ASCII);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + path, e);
        } catch (MalformedInputException e) {
            throw new IOException("the file " + path + " is not in PEM form", e);
        } catch (IOException e) {
            throw new IOException("the file " + path + " cannot be read: " + FileFailure.reason(e), e);
        }
        List<Block> blocks = new ArrayList<>();
        for (Matcher block = BLOCK.matcher(text); block.find(); ) {
            blocks.add(new Block(block.group(1), block.group(2)));
        }
        if (blocks.isEmpty()) {
            throw new IOException("the file " + path + " is not in PEM form");
        }
        return new PemFile(path, blocks);
    }

    /** To prove who one is, by the file's first private key and its certificates, the own one first. */
    public KeyManager[] keyManagers(@Nullable String password) throws IOException {
        char[] storePassword = new char[0];
        try {
            KeyStore store = empty();
            PrivateKey key = PrivateKeys.read(keyBlock(), password);
            PrivateKeys.requirePair(key, certificate().getPublicKey());
            store.setKeyEntry("own", key, storePassword, certificates().toArray(new Certificate[0]));
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, storePassword);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw unusable(e);
        }
    }

    /** The own one, which must be valid now. */
    public X509Certificate certificate() throws IOException {
        try {
            X509Certificate own = certificates().getFirst();
            own.checkValidity();
            return own;
        } catch (GeneralSecurityException e) {
            throw unusable(e);
        }
    }

    private Block keyBlock() throws IOException {
        return blocks.stream()
                .filter(each -> each.kind.endsWith("PRIVATE KEY"))
                .findFirst()
                .orElseThrow(() -> new IOException("the file " + path + " holds no private key"));
    }

    /** Trusts every certificate that is signed by one of the file's certificates. */
    public TrustManager[] trustManagers() throws IOException {
        try {
            KeyStore store = empty();
            int number = 0;
            for (Certificate each : certificates()) {
                store.setCertificateEntry("ca" + number++, each);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw unusable(e);
        }
    }

    private List<X509Certificate> certificates() throws GeneralSecurityException, IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        for (Block each : blocks) {
            if (each.kind.equals(CERTIFICATE)) {
                certificates.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(each.bytes())));
            }
        }
        if (certificates.isEmpty()) {
            throw new IOException("the file " + path + " holds no certificate");
        }
        return certificates;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }

    private IOException unusable(Exception cause) {
        return new IOException("the file " + path + " cannot be used: " + cause.getMessage(), cause);
    }
}
