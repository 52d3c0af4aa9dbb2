package dev.semel.driver.model;

/** Options of {@code estimatedDocumentCount}. */
public final class EstimatedDocumentCountOptions extends TimedOptions<EstimatedDocumentCountOptions> {

    @Override
    EstimatedDocumentCountOptions self() {
        return this;
    }
}
