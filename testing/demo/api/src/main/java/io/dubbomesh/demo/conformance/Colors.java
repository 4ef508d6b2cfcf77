package io.dubbomesh.demo.conformance;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/** Fields of an enum. */
@SuppressWarnings("serial")
public final class Colors implements Serializable {
    private Color favourite;
    private Color[] array;
    private List<Color> list;
    private Map<Color, Integer> amounts;

    public Color getFavourite() {
        return favourite;
    }

    public void setFavourite(Color favourite) {
        this.favourite = favourite;
    }

    public Color[] getArray() {
        return array;
    }

    public void setArray(Color[] array) {
        this.array = array;
    }

    public List<Color> getList() {
        return list;
    }

    public void setList(List<Color> list) {
        this.list = list;
    }

    public Map<Color, Integer> getAmounts() {
        return amounts;
    }

    public void setAmounts(Map<Color, Integer> amounts) {
        this.amounts = amounts;
    }
}
