package dev.semel.driver.model;

import org.bson.conversions.Bson;

/** Which documents around the current one a window function uses; created by {@link Windows}. */
public interface Window extends Bson {}
