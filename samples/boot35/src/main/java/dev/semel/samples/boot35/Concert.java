package dev.semel.samples.boot35;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/** A concert and the seats that are left. */
@Document("concerts")
public record Concert(@Id String title, int seats) {}
