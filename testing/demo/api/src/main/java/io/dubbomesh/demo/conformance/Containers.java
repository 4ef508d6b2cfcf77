package io.dubbomesh.demo.conformance;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Fields that are arrays, collections and maps. */
@SuppressWarnings("serial")
public final class Containers implements Serializable {
    private byte[] bytes;
    private int[] ints;
    private String[] strings;
    private List<Long> longs;
    private Set<Color> colors;
    private Collection<BigDecimal> prices;
    private Map<String, Integer> counts;
    private Map<Integer, String> namesByNumber;
    private Map<String, List<Item>> itemsByShelf;
    private Object anything;

    public byte[] getBytes() {
        return bytes;
    }

    public void setBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    public int[] getInts() {
        return ints;
    }

    public void setInts(int[] ints) {
        this.ints = ints;
    }

    public String[] getStrings() {
        return strings;
    }

    public void setStrings(String[] strings) {
        this.strings = strings;
    }

    public List<Long> getLongs() {
        return longs;
    }

    public void setLongs(List<Long> longs) {
        this.longs = longs;
    }

    public Set<Color> getColors() {
        return colors;
    }

    public void setColors(Set<Color> colors) {
        this.colors = colors;
    }

    public Collection<BigDecimal> getPrices() {
        return prices;
    }

    public void setPrices(Collection<BigDecimal> prices) {
        this.prices = prices;
    }

    public Map<String, Integer> getCounts() {
        return counts;
    }

    public void setCounts(Map<String, Integer> counts) {
        this.counts = counts;
    }

    public Map<Integer, String> getNamesByNumber() {
        return namesByNumber;
    }

    public void setNamesByNumber(Map<Integer, String> namesByNumber) {
        this.namesByNumber = namesByNumber;
    }

    public Map<String, List<Item>> getItemsByShelf() {
        return itemsByShelf;
    }

    public void setItemsByShelf(Map<String, List<Item>> itemsByShelf) {
        this.itemsByShelf = itemsByShelf;
    }

    public Object getAnything() {
        return anything;
    }

    public void setAnything(Object anything) {
        this.anything = anything;
    }
}
