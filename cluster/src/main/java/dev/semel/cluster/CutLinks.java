package dev.semel.cluster;

import dev.semel.replication.Links;
import dev.semel.server.failpoint.FailPoint.CutMembers;
import dev.semel.server.failpoint.FailPoints;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The network between this member and others, as far as fail points leave it. It stays cut while the server is opened again. */
final class CutLinks implements Links {
    private volatile @Nullable FailPoints failPoints;

    /** Of the server that is opened now. */
    void use(FailPoints opened) {
        FailPoints before = failPoints;
        if (before != null) {
            opened.takeOver(CutMembers.NAME, before);
        }
        failPoints = opened;
    }

    @Override
    public boolean areWhole() {
        FailPoints known = failPoints;
        return known == null || !known.areSet();
    }

    @Override
    public boolean arrives(String from, String to) {
        return isWhole(cut -> cut.members().contains(from) || cut.members().contains(to));
    }

    /** Whether this member can talk to another one. */
    boolean reaches(String member) {
        return isWhole(cut -> cut.members().contains(member));
    }

    private boolean isWhole(Predicate<CutMembers> isCut) {
        FailPoints known = failPoints;
        return known == null || !known.areSet() || known.hit(CutMembers.NAME, CutMembers.class, isCut) == null;
    }
}
