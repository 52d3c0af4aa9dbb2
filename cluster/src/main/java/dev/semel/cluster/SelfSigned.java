package dev.semel.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

/**
 * A certificate of RFC 5280 that its own key has signed, and whose common name is all that it says. The JDK reads
 * certificates and has no public way to make one.
 */
final class SelfSigned {
    /** What comes before the common name in the name of the certificate. */
    static final String NAME = "CN=";

    // Tags of DER.
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int VERSION = 0xa0;

    /** 2.5.4.3 */
    private static final byte[] COMMON_NAME = {0x55, 0x04, 0x03};

    /** 1.2.840.10045.4.3.2 */
    private static final byte[] ECDSA_WITH_SHA256 = {0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02};

    private SelfSigned() {}

    /** Without an end: who trusts it looks at its name only, and clocks of members may differ. */
    static X509Certificate certificate(KeyPair pair, String commonName) throws GeneralSecurityException {
        byte[] algorithm = der(SEQUENCE, der(OBJECT_IDENTIFIER, ECDSA_WITH_SHA256));
        byte[] name = der(
                SEQUENCE,
                der(SET, der(SEQUENCE, der(OBJECT_IDENTIFIER, COMMON_NAME), der(UTF8_STRING, ascii(commonName)))));
        byte[] validity =
                der(SEQUENCE, der(UTC_TIME, ascii("700101000000Z")), der(GENERALIZED_TIME, ascii("99991231235959Z")));
        byte[] content = der(
                SEQUENCE,
                der(VERSION, der(INTEGER, new byte[] {2})),
                der(INTEGER, new byte[] {1}),
                algorithm,
                name,
                validity,
                name,
                pair.getPublic().getEncoded());
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(content);
        byte[] certificate = der(SEQUENCE, content, algorithm, der(BIT_STRING, new byte[] {0}, signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** A tag, the length in as few bytes as possible, and the parts. */
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] each : parts) {
            content.writeBytes(each);
        }
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(tag);
        int length = content.size();
        if (length < 0x80) {
            value.write(length);
        } else if (length < 0x100) {
            value.write(0x81);
            value.write(length);
        } else {
            value.write(0x82);
            value.write(length >> 8);
            value.write(length);
        }
        value.writeBytes(content.toByteArray());
        return value.toByteArray();
    }
}
