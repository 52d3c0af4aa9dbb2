package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which key files are taken, and what follows from one. */
class KeyFileTest {
    @TempDir
    private Path folder;

    private Path file(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("key"), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private MemberSecurity member(String content) throws IOException {
        return MemberSecurity.keyFile(file(content));
    }

    private static X509Certificate[] certificate(MemberSecurity member) {
        return member.own().getCertificateChain("own");
    }

    @Test
    void membersWithTheSameKeyTrustEachOther() throws Exception {
        MemberSecurity one = member("abc def+/");
        MemberSecurity other = member("abcd\nef+/\n");
        other.others().checkClientTrusted(certificate(one), "ECDHE_ECDSA");
        one.others().checkServerTrusted(certificate(other), "ECDHE_ECDSA");
        assertThat(certificate(one)[0].getPublicKey()).isNotEqualTo(certificate(other)[0].getPublicKey());
    }

    @Test
    void anotherKeyIsNotTrusted() throws Exception {
        MemberSecurity one = member("abcdef");
        MemberSecurity other = member("abcdeg");
        assertThatThrownBy(() -> one.others().checkClientTrusted(certificate(other), "ECDHE_ECDSA"))
                .isInstanceOf(CertificateException.class)
                .hasMessage("it was not made with this member's key file: all members of a set need the same one");
    }

    /** Whoever has seen a member's certificate knows its name, but not the private key that belongs to it. */
    @Test
    void nameOfAMemberOnAnotherKeyIsNotTrusted() throws Exception {
        MemberSecurity one = member("abcdef");
        String name = certificate(one)[0].getSubjectX500Principal().getName().substring("CN=".length());
        KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
        assertThatThrownBy(() -> one.others()
                        .checkClientTrusted(new X509Certificate[] {SelfSigned.certificate(pair, name)}, "ECDHE_ECDSA"))
                .isInstanceOf(CertificateException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abcde", "", "abc-def", "abc=def", "-----BEGIN"})
    void otherContentIsRefused(String content) {
        assertThatThrownBy(() -> member(content))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the key file " + folder.resolve("key"))
                .hasMessageEndingWith(
                        "it takes 6 to 1024 characters of base 64, as 'openssl rand -base64 756' makes them");
    }

    @Test
    void longestKey() throws Exception {
        member("a".repeat(1024));
        assertThatThrownBy(() -> member("a".repeat(1025))).hasMessageContaining(" has 1025 characters: ");
        assertThatThrownBy(() -> member("a".repeat(100_000))).hasMessageContaining(" is too long for one: ");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void fileThatOthersCanReadIsRefused() throws Exception {
        Path file = file("abcdef");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> MemberSecurity.keyFile(file))
                .hasMessage("the key file %s is open to other users (rw-r-----): run chmod 600 %s", file, file);
    }

    @Test
    void fileThatIsNotThere() {
        assertThatThrownBy(() -> MemberSecurity.keyFile(folder.resolve("none")))
                .hasMessage("there is no key file " + folder.resolve("none"));
    }
}
