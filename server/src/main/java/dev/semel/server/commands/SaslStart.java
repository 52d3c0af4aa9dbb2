package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.wire.bson.BsonWriter;

/** {@code saslStart}: a client begins to prove who it is. */
final class SaslStart implements Command<SaslStartArgs> {
    private final Login login;

    SaslStart(Login login) {
        this.login = login;
    }

    @Override
    public Spec spec() {
        return Spec.of("saslStart").with(Trait.HANDSHAKE, Trait.CONFIDENTIAL);
    }

    @Override
    public SaslStartArgs parse(Arguments in) {
        return SaslStartArgs.parse(in, in.database());
    }

    @Override
    public Reply run(SaslStartArgs args, Call call) {
        BsonWriter reply = new BsonWriter();
        login.start(args, call.client(), reply);
        return Reply.of(reply);
    }
}
