package dev.semel.samples.boot4;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/** A thing on a shelf, and how many of it. */
@Document("items")
public record Item(@Id String name, int stock) {}
