package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.wire.bson.BsonWriter;

/** {@code saslContinue}: the next message of a client that proves who it is. */
final class SaslContinue implements Command<SaslContinue.Args> {
    record Args(long conversation, byte[] payload) {}

    private final Login login;

    SaslContinue(Login login) {
        this.login = login;
    }

    @Override
    public Spec spec() {
        return Spec.of("saslContinue").with(Trait.HANDSHAKE, Trait.CONFIDENTIAL);
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(in.requiredInteger("conversationId"), SaslStartArgs.payload(in));
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter reply = new BsonWriter();
        login.proceed(args.conversation(), args.payload(), call.client(), reply);
        return Reply.of(reply);
    }
}
