package dev.semel.driver.connection;

import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.setting.TlsSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Encryption over a socket: whom to trust, who we are, and that the server is the one that was asked for. */
final class Tls {
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private Tls() {}

    static SSLSocket over(Socket socket, ServerAddress address, TlsSettings settings) throws IOException {
        SSLContext given = settings.context();
        SSLContext context = given == null ? context(settings) : given;
        var encrypted =
                (SSLSocket) context.getSocketFactory().createSocket(socket, address.host(), address.port(), true);
        SSLParameters parameters = encrypted.getSSLParameters();
        if (!settings.allowInvalidHostnames() && !settings.allowInvalidCertificates()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (address.host().chars().anyMatch(Character::isLetter)
                && !address.host().contains(":")) {
            parameters.setServerNames(List.of(new SNIHostName(address.host())));
        }
        encrypted.setSSLParameters(parameters);
        return encrypted;
    }

    private static SSLContext context(TlsSettings settings) {
        try {
            var context = SSLContext.getInstance("TLS");
            Path keyFile = settings.certificateKeyFile();
            context.init(
                    keyFile == null ? null : keys(keyFile, settings.certificateKeyFilePassword()),
                    trust(settings),
                    new SecureRandom());
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new MongoConfigurationException("The TLS settings cannot be used: " + e.getMessage(), e);
        }
    }

    private static TrustManager @Nullable [] trust(TlsSettings settings) throws GeneralSecurityException, IOException {
        if (settings.allowInvalidCertificates()) {
            return new TrustManager[] {new TrustEveryone()};
        }
        Path file = settings.caFile();
        if (file == null) {
            return null;
        }
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int number = 0;
        for (Certificate each : certificates(Files.readString(file))) {
            store.setCertificateEntry("ca" + number++, each);
        }
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyManager[] keys(Path file, @Nullable String password)
            throws GeneralSecurityException, IOException {
        String pem = Files.readString(file);
        char[] storePassword = new char[0];
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry(
                "client",
                privateKey(pem, password),
                storePassword,
                certificates(pem).toArray(new Certificate[0]));
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, storePassword);
        return factory.getKeyManagers();
    }

    private static Collection<? extends Certificate> certificates(String pem) throws GeneralSecurityException {
        var text = new StringBuilder();
        Matcher block = PEM.matcher(pem);
        while (block.find()) {
            if (block.group(1).equals("CERTIFICATE")) {
                text.append(block.group()).append('\n');
            }
        }
        return CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.US_ASCII)));
    }

    private static PrivateKey privateKey(String pem, @Nullable String password)
            throws GeneralSecurityException, IOException {
        Matcher block = PEM.matcher(pem);
        while (block.find()) {
            byte[] bytes = Base64.getMimeDecoder().decode(block.group(2));
            switch (block.group(1)) {
                case "PRIVATE KEY" -> {
                    return privateKey(new PKCS8EncodedKeySpec(bytes));
                }
                case "ENCRYPTED PRIVATE KEY" -> {
                    return privateKey(decrypted(bytes, password));
                }
                case "CERTIFICATE" -> {}
                default ->
                    throw new InvalidKeySpecException("a " + block.group(1) + " is not in PKCS #8 form (PRIVATE KEY)");
            }
        }
        throw new InvalidKeySpecException("the certificate key file holds no private key");
    }

    private static PKCS8EncodedKeySpec decrypted(byte[] bytes, @Nullable String password)
            throws GeneralSecurityException, IOException {
        if (password == null) {
            throw new InvalidKeySpecException(
                    "the private key is encrypted and tlsCertificateKeyFilePassword is missing");
        }
        var info = new EncryptedPrivateKeyInfo(bytes);
        // For PBES2 the name of the algorithm is in its parameters.
        String algorithm = info.getAlgParameters() == null
                ? info.getAlgName()
                : info.getAlgParameters().toString();
        var key = SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password.toCharArray()));
        var cipher = Cipher.getInstance(algorithm);
        cipher.init(Cipher.DECRYPT_MODE, key, info.getAlgParameters());
        return info.getKeySpec(cipher);
    }

    private static PrivateKey privateKey(PKCS8EncodedKeySpec spec) throws GeneralSecurityException {
        for (String each : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(each).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                // It is a key for another of them; the form does not say which.
            }
        }
        throw new InvalidKeySpecException("the private key is for none of " + KEY_ALGORITHMS);
    }

    /** For tlsAllowInvalidCertificates: whoever sets that does not want to be asked. */
    private static final class TrustEveryone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
