package dev.semel.samples.boot4;

import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.FullDocument;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.Document;
import org.springframework.data.mongodb.core.messaging.ChangeStreamRequest;
import org.springframework.data.mongodb.core.messaging.Message;
import org.springframework.data.mongodb.core.messaging.MessageListenerContainer;
import org.springframework.data.mongodb.core.messaging.Subscription;
import org.springframework.stereotype.Component;

/** Notes what ran out, as it hears of it from the change stream. */
@Component
public class Reorders {
    private final List<String> noted = new CopyOnWriteArrayList<>();
    private final Subscription subscription;

    Reorders(MessageListenerContainer listeners) {
        var request = ChangeStreamRequest.<Item>builder(this::changed)
                .collection("items")
                .fullDocumentLookup(FullDocument.UPDATE_LOOKUP)
                .build();
        subscription = listeners.register(request, Item.class);
    }

    private void changed(Message<ChangeStreamDocument<Document>, Item> message) {
        var item = message.getBody();
        if (item != null && item.stock() == 0) {
            noted.add(item.name());
        }
    }

    /** What follows the changes. */
    Subscription subscription() {
        return subscription;
    }

    public List<String> noted() {
        return List.copyOf(noted);
    }
}
