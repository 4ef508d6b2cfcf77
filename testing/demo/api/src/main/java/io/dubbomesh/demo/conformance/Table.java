package io.dubbomesh.demo.conformance;

import java.io.Serializable;
import java.util.List;

/** A list of lists as a field, in a separate class: fastjson2 2.0.56 cannot write one. */
@SuppressWarnings("serial")
public final class Table implements Serializable {
    private List<List<Integer>> rows;

    public List<List<Integer>> getRows() {
        return rows;
    }

    public void setRows(List<List<Integer>> rows) {
        this.rows = rows;
    }
}
