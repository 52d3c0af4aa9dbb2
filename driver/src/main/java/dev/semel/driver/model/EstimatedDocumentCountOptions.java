package dev.semel.driver.model;

/** How to estimate. */
public final class EstimatedDocumentCountOptions extends TimedOptions<EstimatedDocumentCountOptions> {

    @Override
    EstimatedDocumentCountOptions self() {
        return this;
    }
}
