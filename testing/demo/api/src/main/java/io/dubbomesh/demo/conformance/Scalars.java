package io.dubbomesh.demo.conformance;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;

/** A field of every scalar type. */
@SuppressWarnings("serial")
public final class Scalars implements Serializable {
    private boolean flag;
    private byte tiny;
    private short small;
    private int count;
    private long total;
    private double precise;
    private char letter;
    private Boolean boxedFlag;
    private Byte boxedTiny;
    private Short boxedSmall;
    private Integer boxedCount;
    private Long boxedTotal;
    private Float boxedRatio;
    private Double boxedPrecise;
    private Character boxedLetter;
    private String text;
    private BigDecimal price;
    private BigInteger huge;

    public boolean isFlag() {
        return flag;
    }

    public void setFlag(boolean flag) {
        this.flag = flag;
    }

    public byte getTiny() {
        return tiny;
    }

    public void setTiny(byte tiny) {
        this.tiny = tiny;
    }

    public short getSmall() {
        return small;
    }

    public void setSmall(short small) {
        this.small = small;
    }

    public int getCount() {
        return count;
    }

    public void setCount(int count) {
        this.count = count;
    }

    public long getTotal() {
        return total;
    }

    public void setTotal(long total) {
        this.total = total;
    }

    public double getPrecise() {
        return precise;
    }

    public void setPrecise(double precise) {
        this.precise = precise;
    }

    public char getLetter() {
        return letter;
    }

    public void setLetter(char letter) {
        this.letter = letter;
    }

    public Boolean getBoxedFlag() {
        return boxedFlag;
    }

    public void setBoxedFlag(Boolean boxedFlag) {
        this.boxedFlag = boxedFlag;
    }

    public Byte getBoxedTiny() {
        return boxedTiny;
    }

    public void setBoxedTiny(Byte boxedTiny) {
        this.boxedTiny = boxedTiny;
    }

    public Short getBoxedSmall() {
        return boxedSmall;
    }

    public void setBoxedSmall(Short boxedSmall) {
        this.boxedSmall = boxedSmall;
    }

    public Integer getBoxedCount() {
        return boxedCount;
    }

    public void setBoxedCount(Integer boxedCount) {
        this.boxedCount = boxedCount;
    }

    public Long getBoxedTotal() {
        return boxedTotal;
    }

    public void setBoxedTotal(Long boxedTotal) {
        this.boxedTotal = boxedTotal;
    }

    public Float getBoxedRatio() {
        return boxedRatio;
    }

    public void setBoxedRatio(Float boxedRatio) {
        this.boxedRatio = boxedRatio;
    }

    public Double getBoxedPrecise() {
        return boxedPrecise;
    }

    public void setBoxedPrecise(Double boxedPrecise) {
        this.boxedPrecise = boxedPrecise;
    }

    public Character getBoxedLetter() {
        return boxedLetter;
    }

    public void setBoxedLetter(Character boxedLetter) {
        this.boxedLetter = boxedLetter;
    }

    public String getText() {
        return text;
    }

    public void setText(String text) {
        this.text = text;
    }

    public BigDecimal getPrice() {
        return price;
    }

    public void setPrice(BigDecimal price) {
        this.price = price;
    }

    public BigInteger getHuge() {
        return huge;
    }

    public void setHuge(BigInteger huge) {
        this.huge = huge;
    }
}
