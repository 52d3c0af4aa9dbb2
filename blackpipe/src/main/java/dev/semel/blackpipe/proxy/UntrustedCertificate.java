package dev.semel.blackpipe.proxy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * A certificate that no client should accept: it is self-signed, with a new key, for a host name that cannot exist. The
 * JDK can read certificates but not create them, so this class encodes one according to RFC 5280.
 */
final class UntrustedCertificate {
    static final String HOST = "untrusted.invalid";

    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OBJECT_ID = 0x06;
    private static final int UTF8_STRING = 0x0C;
    private static final int UTC_TIME = 0x17;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;

    private static final byte[] ECDSA_WITH_SHA256 = {0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x04, 0x03, 0x02};
    private static final byte[] COMMON_NAME = {0x55, 0x04, 0x03};

    private UntrustedCertificate() {}

    static KeyManager[] keyManagers() throws GeneralSecurityException, IOException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair keys = generator.generateKeyPair();
        Certificate certificate =
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(signed(keys)));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("untrusted", keys.getPrivate(), new char[0], new Certificate[] {certificate});
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    private static byte[] signed(KeyPair keys) throws GeneralSecurityException {
        byte[] algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_WITH_SHA256));
        byte[] name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8_STRING, text(HOST)))));
        byte[] validity = der(SEQUENCE, der(UTC_TIME, text("200101000000Z")), der(UTC_TIME, text("491231235959Z")));
        byte[] content = der(
                SEQUENCE,
                der(INTEGER, new byte[] {1}),
                algorithm,
                name,
                validity,
                name,
                keys.getPublic().getEncoded());
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(content);
        return der(SEQUENCE, content, algorithm, der(BIT_STRING, new byte[] {0}, signature.sign()));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** A value of this type, with what it consists of. */
    private static byte[] der(int type, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] each : parts) {
            content.writeBytes(each);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(type);
        if (content.size() < 0x80) {
            out.write(content.size());
        } else {
            // A length of two bytes, which is enough for anything here.
            out.write(0x82);
            out.write(content.size() >> 8);
            out.write(content.size());
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }
}
