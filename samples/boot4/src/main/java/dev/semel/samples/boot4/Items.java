package dev.semel.samples.boot4;

import org.springframework.data.mongodb.repository.MongoRepository;

/** All items. */
public interface Items extends MongoRepository<Item, String> {}
