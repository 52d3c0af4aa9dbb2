package dev.semel.driver.connection;

import dev.semel.driver.setting.ProxySettings;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The client's side of SOCKS version 5, RFC 1928, with user name and password by RFC 1929. The proxy is given the name of the
 * server and looks it up itself.
 */
final class Socks5 {
    private static final int VERSION = 5;
    private static final int NO_AUTHENTICATION = 0;
    private static final int USER_NAME_AND_PASSWORD = 2;
    private static final int AUTHENTICATION_VERSION = 1;
    private static final int CONNECT = 1;
    private static final int IPV4 = 1;
    private static final int DOMAIN_NAME = 3;
    private static final int IPV6 = 4;
    private static final int TEXT_BYTES_MAX = 255;

    private final ProxySettings proxy;
    private final DataInputStream in;
    private final OutputStream out;

    private Socks5(ProxySettings proxy, Socket socket) throws IOException {
        this.proxy = proxy;
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** Afterwards the socket, which is connected with the proxy, leads to the server. */
    static void connect(Socket socket, ProxySettings proxy, String host, int port) throws IOException {
        var handshake = new Socks5(proxy, socket);
        handshake.authenticate();
        handshake.connect(host, port);
    }

    private void authenticate() throws IOException {
        boolean hasPassword = proxy.userName() != null;
        out.write(
                hasPassword
                        ? new byte[] {VERSION, 2, NO_AUTHENTICATION, USER_NAME_AND_PASSWORD}
                        : new byte[] {VERSION, 1, NO_AUTHENTICATION});
        expectVersion(VERSION);
        switch (in.readUnsignedByte()) {
            case NO_AUTHENTICATION -> {}
            case USER_NAME_AND_PASSWORD -> sendPassword();
            default -> throw new IOException("The SOCKS proxy accepts none of the ways to authenticate");
        }
    }

    private void sendPassword() throws IOException {
        byte[] user = text(String.valueOf(proxy.userName()), "The user name");
        byte[] password = text(String.valueOf(proxy.password()), "The password");
        out.write(ByteBuffer.allocate(3 + user.length + password.length)
                .put((byte) AUTHENTICATION_VERSION)
                .put((byte) user.length)
                .put(user)
                .put((byte) password.length)
                .put(password)
                .array());
        expectVersion(AUTHENTICATION_VERSION);
        if (in.readUnsignedByte() != 0) {
            throw new IOException("The SOCKS proxy refuses the user name and password");
        }
    }

    private void connect(String host, int port) throws IOException {
        byte[] name = text(host, "The host name");
        out.write(ByteBuffer.allocate(7 + name.length)
                .put((byte) VERSION)
                .put((byte) CONNECT)
                .put((byte) 0)
                .put((byte) DOMAIN_NAME)
                .put((byte) name.length)
                .put(name)
                .putShort((short) port)
                .array());
        expectVersion(VERSION);
        int reply = in.readUnsignedByte();
        if (reply != 0) {
            throw new IOException("The SOCKS proxy cannot connect to " + host + ":" + port + ": " + meaning(reply));
        }
        in.readUnsignedByte();
        int addressBytes = switch (in.readUnsignedByte()) {
            case IPV4 -> 4;
            case IPV6 -> 16;
            case DOMAIN_NAME -> in.readUnsignedByte();
            default -> throw new IOException("The SOCKS proxy answers with an unknown type of address");
        };
        in.readFully(new byte[addressBytes + 2]);
    }

    private static byte[] text(String value, String what) throws IOException {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > TEXT_BYTES_MAX) {
            throw new IOException(what + " is longer than the " + TEXT_BYTES_MAX + " bytes that SOCKS allows");
        }
        return bytes;
    }

    private void expectVersion(int version) throws IOException {
        int found = in.readUnsignedByte();
        if (found != version) {
            throw new IOException("The proxy does not speak SOCKS version 5: it answers with version " + found);
        }
    }

    private static String meaning(int reply) {
        return switch (reply) {
            case 1 -> "general failure";
            case 2 -> "not allowed by its rules";
            case 3 -> "network unreachable";
            case 4 -> "host unreachable";
            case 5 -> "connection refused";
            case 6 -> "time to live expired";
            case 7 -> "command not supported";
            case 8 -> "address type not supported";
            default -> "error " + reply;
        };
    }
}
