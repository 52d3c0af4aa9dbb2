package dev.semel.driver.model.search;

import org.bson.Document;

/** Words next to each other. */
public final class PhraseSearchOperator extends SearchOperator {
    PhraseSearchOperator(Document fields) {
        super("phrase", fields);
    }

    /** How far the words may be apart. */
    public PhraseSearchOperator slop(int value) {
        return new PhraseSearchOperator(and("slop", value));
    }

    /** The name of a mapping of the index. */
    public PhraseSearchOperator synonyms(String name) {
        return new PhraseSearchOperator(and("synonyms", name));
    }

    @Override
    public PhraseSearchOperator score(SearchScore value) {
        return new PhraseSearchOperator(and("score", value));
    }
}
