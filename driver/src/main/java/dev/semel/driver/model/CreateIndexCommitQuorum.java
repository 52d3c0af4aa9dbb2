package dev.semel.driver.model;

import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** How many members must have built an index before it is ready. */
public record CreateIndexCommitQuorum(BsonValue value) {
    public static final CreateIndexCommitQuorum MAJORITY = create("majority");
    public static final CreateIndexCommitQuorum VOTING_MEMBERS = create("votingMembers");

    /** The name of a mode. */
    public static CreateIndexCommitQuorum create(String mode) {
        return new CreateIndexCommitQuorum(new BsonString(mode));
    }

    public static CreateIndexCommitQuorum create(int members) {
        return new CreateIndexCommitQuorum(new BsonInt32(members));
    }

    public BsonValue toBsonValue() {
        return value;
    }
}
