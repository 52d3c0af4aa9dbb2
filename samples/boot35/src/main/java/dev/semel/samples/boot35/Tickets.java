package dev.semel.samples.boot35;

import java.util.List;
import org.springframework.data.mongodb.repository.MongoRepository;

/** All tickets. */
public interface Tickets extends MongoRepository<Ticket, String> {
    List<Ticket> findByConcertOrderByVisitor(String concert);
}
