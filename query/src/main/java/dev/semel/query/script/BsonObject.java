package dev.semel.query.script;

import dev.semel.wire.bson.Value;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** A value of a BSON type that JavaScript does not have, such as an ObjectId or a 64-bit integer. */
final class BsonObject extends ScriptableObject {
    private static final long serialVersionUID = 1;

    private final transient Value value;

    BsonObject(Scriptable scope, Scriptable prototype, Value value) {
        super(scope, prototype);
        this.value = value;
    }

    /** For a constructor, which sets scope and prototype. */
    BsonObject(Value value) {
        this.value = value;
    }

    Value value() {
        return value;
    }

    @Override
    public String getClassName() {
        return "Object";
    }
}
