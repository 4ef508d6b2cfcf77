package io.dubbomesh.demo.conformance;

import java.io.Serializable;
import java.util.List;

/** A generic class. */
@SuppressWarnings("serial")
public final class Page<T> implements Serializable {
    private List<T> content;
    private T first;
    private long total;

    public Page() {}

    public Page(List<T> content, T first, long total) {
        this.content = content;
        this.first = first;
        this.total = total;
    }

    public List<T> getContent() {
        return content;
    }

    public void setContent(List<T> content) {
        this.content = content;
    }

    public T getFirst() {
        return first;
    }

    public void setFirst(T first) {
        this.first = first;
    }

    public long getTotal() {
        return total;
    }

    public void setTotal(long total) {
        this.total = total;
    }
}
