package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.wire.bson.BsonWriter;

/** {@code authenticate}: authentication by certificate. Users with a password use {@code saslStart}. */
final class Authenticate implements Command<CertificateArgs> {
    private final Login login;

    Authenticate(Login login) {
        this.login = login;
    }

    @Override
    public Spec spec() {
        return Spec.of("authenticate").with(Trait.HANDSHAKE);
    }

    @Override
    public CertificateArgs parse(Arguments in) {
        return CertificateArgs.parse(in, in.database());
    }

    @Override
    public Reply run(CertificateArgs args, Call call) {
        BsonWriter reply = new BsonWriter();
        login.certificate(args, call.client(), reply);
        return Reply.of(reply);
    }
}
