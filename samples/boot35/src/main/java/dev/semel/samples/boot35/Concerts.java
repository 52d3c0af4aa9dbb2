package dev.semel.samples.boot35;

import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.Query;
import org.springframework.data.mongodb.repository.Update;

/** All concerts. */
public interface Concerts extends MongoRepository<Concert, String> {
    /** Takes this many seats, if there are as many; says how many concerts had them, which is one or none. */
    @Query("{_id: ?0, seats: {$gte: ?1}}")
    @Update("{$inc: {seats: ?#{-[1]}}}")
    long takeSeats(String title, int wanted);
}
