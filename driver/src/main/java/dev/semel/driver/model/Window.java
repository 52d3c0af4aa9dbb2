package dev.semel.driver.model;

import org.bson.conversions.Bson;

/** Which documents around the current one a window function sees; {@link Windows} makes them. */
public interface Window extends Bson {}
