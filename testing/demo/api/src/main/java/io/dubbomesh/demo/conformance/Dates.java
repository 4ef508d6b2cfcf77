package io.dubbomesh.demo.conformance;

import java.io.Serializable;
import java.util.Date;
import java.util.List;
import java.util.Map;

/** Fields of {@link Date}. */
@SuppressWarnings("serial")
public final class Dates implements Serializable {
    private Date date;
    private Date[] array;
    private List<Date> list;
    private Map<String, Date> byName;

    public Date getDate() {
        return date;
    }

    public void setDate(Date date) {
        this.date = date;
    }

    public Date[] getArray() {
        return array;
    }

    public void setArray(Date[] array) {
        this.array = array;
    }

    public List<Date> getList() {
        return list;
    }

    public void setList(List<Date> list) {
        this.list = list;
    }

    public Map<String, Date> getByName() {
        return byName;
    }

    public void setByName(Map<String, Date> byName) {
        this.byName = byName;
    }
}
