package dev.semel.samples.boot35;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.data.mongo.DataMongoTest;
import org.springframework.context.annotation.Import;

@DataMongoTest
@Import(BoxOffice.class)
class BoxOfficeTest {
    private final BoxOffice office;
    private final Concerts concerts;
    private final Tickets tickets;

    BoxOfficeTest(@Autowired BoxOffice office, @Autowired Concerts concerts, @Autowired Tickets tickets) {
        this.office = office;
        this.concerts = concerts;
        this.tickets = tickets;
    }

    @BeforeEach
    void onlyTwoSeatsAreLeft() {
        tickets.deleteAll();
        concerts.save(new Concert("Bach", 2));
    }

    @Test
    void partySitsTogether() {
        office.sell("Bach", List.of("Eve", "Ada"));
        assertThat(tickets.findByConcertOrderByVisitor("Bach"))
                .extracting(Ticket::visitor)
                .containsExactly("Ada", "Eve");
        assertThat(concerts.findById("Bach")).contains(new Concert("Bach", 0));
    }

    @Test
    void partyThatIsTooLargeGetsNoTicketAtAll() {
        assertThatThrownBy(() -> office.sell("Bach", List.of("Ada", "Eve", "Joe")))
                .isInstanceOf(SoldOutException.class);
        assertThat(tickets.count()).isZero();
        assertThat(concerts.findById("Bach")).contains(new Concert("Bach", 2));
    }
}
