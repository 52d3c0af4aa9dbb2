package dev.semel.samples.boot35;

import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/** What a visitor shows at the door; the database gives the number. */
@Document("tickets")
public record Ticket(@Id @Nullable String number, String concert, String visitor) {}
