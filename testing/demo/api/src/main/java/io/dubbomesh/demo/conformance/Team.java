package io.dubbomesh.demo.conformance;

import java.io.Serializable;
import java.util.List;

/** A field whose value may be of a subclass. */
@SuppressWarnings("serial")
public final class Team implements Serializable {
    private Person lead;
    private List<Person> members;

    public Person getLead() {
        return lead;
    }

    public void setLead(Person lead) {
        this.lead = lead;
    }

    public List<Person> getMembers() {
        return members;
    }

    public void setMembers(List<Person> members) {
        this.members = members;
    }
}
