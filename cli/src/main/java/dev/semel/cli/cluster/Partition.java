package dev.semel.cli.cluster;

import dev.semel.driver.MongoClient;
import dev.semel.driver.error.MongoException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.bson.Document;

/** Members that are cut off from all others; clients reach them still. Each member is told so by a fail point. */
final class Partition {
    private final LocalSet set;
    private final IntFunction<MongoClient> clients;
    private final Set<Integer> cutOff = new TreeSet<>();
    private final Map<Integer, Told> told = new HashMap<>();

    /** A new process knows nothing. */
    private record Told(long process, List<String> cut) {}

    /** Between members of the set; each is told by its own client. */
    Partition(LocalSet set, IntFunction<MongoClient> clients) {
        this.set = set;
        this.clients = clients;
    }

    void cutOff(int member) {
        cutOff.add(member);
    }

    void heal(int member) {
        cutOff.remove(member);
    }

    boolean isCutOff(int member) {
        return cutOff.contains(member);
    }

    /** Tells members what they do not know yet; who does not answer is told the next time. */
    void tell() {
        for (int i = 0; i < set.addresses().size(); i++) {
            if (set.isRunning(i)) {
                var wanted = new Told(set.processId(i), cutFrom(i));
                var nothing = new Told(wanted.process, List.of());
                var known = told.getOrDefault(i, nothing);
                boolean isKnown = known.process == wanted.process ? known.equals(wanted) : wanted.equals(nothing);
                if (!isKnown && tell(clients.apply(i), wanted.cut)) {
                    told.put(i, wanted);
                }
            }
        }
    }

    private List<String> cutFrom(int member) {
        return IntStream.range(0, set.addresses().size())
                .filter(each -> each != member && (isCutOff(member) || isCutOff(each)))
                .mapToObj(set.addresses()::get)
                .toList();
    }

    private static boolean tell(MongoClient client, List<String> cut) {
        try {
            client.getDatabase("admin")
                    .runCommand(new Document("configureFailPoint", "cutMembers")
                            .append("mode", cut.isEmpty() ? "off" : "alwaysOn")
                            .append("data", new Document("members", new ArrayList<>(cut))));
            return true;
        } catch (MongoException e) {
            return false;
        }
    }
}
