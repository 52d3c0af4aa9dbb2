package dev.semel.golden.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Makes self-signed certificates with the JDK's {@code keytool}, and writes them in the file formats that users have. */
public final class Certificates {
    private static final String STORE_PASSWORD = "changeit";

    /** Where the key itself begins in a key of 2048 bits for RSA. */
    private static final int HEADER_BYTES = 26;

    private final Path folder;

    public Certificates(Path folder) {
        this.folder = folder;
    }

    /** How a private key is written. */
    public enum Form {
        PKCS_8,
        PKCS_1,
        ENCRYPTED
    }

    /** The files of one owner: with the certificate alone, and with the key. */
    public record Owner(Path certificate, Path both) {}

    /** The alternative names as {@code keytool} takes them; none if empty. */
    public Owner make(String name, String alternatives, Form form, String password) throws Exception {
        Path store = folder.resolve(name + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                // Its second compiler would take more CPU than the rest of it.
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-keyalg",
                // Keys for RSA take long to make, but older programs write only those without a wrapper.
                form == Form.PKCS_1 ? "RSA" : "EC",
                "-alias",
                "own",
                "-dname",
                "CN=" + name + ",O=Semel",
                "-storetype",
                "PKCS12",
                "-storepass",
                STORE_PASSWORD,
                "-keystore",
                store.toString()));
        if (!alternatives.isEmpty()) {
            command.addAll(List.of("-ext", "san=" + alternatives));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(output);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, STORE_PASSWORD.toCharArray());
        }
        String certificate = pem("CERTIFICATE", keys.getCertificate("own").getEncoded());
        Path alone = Files.writeString(folder.resolve(name + ".crt"), certificate);
        String key = key(keys.getKey("own", STORE_PASSWORD.toCharArray()), form, password);
        return new Owner(alone, Files.writeString(folder.resolve(name + ".pem"), key + certificate));
    }

    private static String key(Key key, Form form, String password) throws GeneralSecurityException, IOException {
        byte[] bytes = key.getEncoded();
        return switch (form) {
            case PKCS_8 -> pem("PRIVATE KEY", bytes);
            case PKCS_1 -> pem("RSA PRIVATE KEY", Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length));
            case ENCRYPTED -> pem("ENCRYPTED PRIVATE KEY", encrypted(bytes, password));
        };
    }

    private static byte[] encrypted(byte[] bytes, String password) throws GeneralSecurityException, IOException {
        String algorithm = "PBEWithHmacSHA256AndAES_256";
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password.toCharArray())));
        // The parameters go under the name of the scheme, as in a file that openssl has written.
        AlgorithmParameters scheme = AlgorithmParameters.getInstance("PBES2");
        scheme.init(cipher.getParameters().getEncoded());
        return new EncryptedPrivateKeyInfo(scheme, cipher.doFinal(bytes)).getEncoded();
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + kind
                + "-----\n";
    }
}
