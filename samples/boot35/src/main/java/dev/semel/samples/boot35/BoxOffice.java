package dev.semel.samples.boot35;

import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Sells the tickets of a party together or not at all. */
@Service
public class BoxOffice {
    private final Concerts concerts;
    private final Tickets tickets;

    BoxOffice(Concerts concerts, Tickets tickets) {
        this.concerts = concerts;
        this.tickets = tickets;
    }

    /** What was sold before the seats ran out is undone. */
    @Transactional
    public void sell(String concert, List<String> party) {
        for (var visitor : party) {
            tickets.save(new Ticket(null, concert, visitor));
            if (concerts.takeSeats(concert, 1) == 0) {
                throw new SoldOutException(concert);
            }
        }
    }
}
