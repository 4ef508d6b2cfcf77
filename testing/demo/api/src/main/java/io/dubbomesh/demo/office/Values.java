package io.dubbomesh.demo.office;

import java.io.Serializable;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Returns values whose JSON must not depend on how they travel, and what it gets. */
public interface Values {
    /** A class like an enum's constant in Hessian: one field with this name. */
    class Named implements Serializable {
        private static final long serialVersionUID = 1L;

        private String name;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }
    }

    enum Carrier {
        COURIER {
            @Override
            public String toString() {
                return "by courier";
            }
        },
        POST
    }

    /** A field of each kind that serializations write in different ways. */
    class Parcel implements Serializable {
        private static final long serialVersionUID = 1L;

        private Carrier carrier;
        private Named owner;
        private boolean isDeleted;
        private String ABC;
        private int count;
        private Integer boxed;
        private float ratio;
        private BigDecimal price;
        private Timestamp sent;
        private Map<Carrier, Integer> byCarrier;
        private Map<Long, Named> byNumber;

        public Carrier getCarrier() {
            return carrier;
        }

        public void setCarrier(Carrier carrier) {
            this.carrier = carrier;
        }

        public Named getOwner() {
            return owner;
        }

        public void setOwner(Named owner) {
            this.owner = owner;
        }

        public boolean isDeleted() {
            return isDeleted;
        }

        public void setDeleted(boolean deleted) {
            isDeleted = deleted;
        }

        public String getABC() {
            return ABC;
        }

        public void setABC(String abc) {
            ABC = abc;
        }

        public int getCount() {
            return count;
        }

        public void setCount(int count) {
            this.count = count;
        }

        public Integer getBoxed() {
            return boxed;
        }

        public void setBoxed(Integer boxed) {
            this.boxed = boxed;
        }

        public float getRatio() {
            return ratio;
        }

        public void setRatio(float ratio) {
            this.ratio = ratio;
        }

        public BigDecimal getPrice() {
            return price;
        }

        public void setPrice(BigDecimal price) {
            this.price = price;
        }

        public Timestamp getSent() {
            return sent;
        }

        public void setSent(Timestamp sent) {
            this.sent = sent;
        }

        public Map<Carrier, Integer> getByCarrier() {
            return byCarrier;
        }

        public void setByCarrier(Map<Carrier, Integer> byCarrier) {
            this.byCarrier = byCarrier;
        }

        public Map<Long, Named> getByNumber() {
            return byNumber;
        }

        public void setByNumber(Map<Long, Named> byNumber) {
            this.byNumber = byNumber;
        }
    }

    /** Fields with initial values. */
    class Search implements Serializable {
        private static final long serialVersionUID = 1L;

        private int page = 1;
        private List<String> tags = new ArrayList<>(List.of("x"));

        public int getPage() {
            return page;
        }

        public void setPage(int page) {
            this.page = page;
        }

        public List<String> getTags() {
            return tags;
        }

        public void setTags(List<String> tags) {
            this.tags = tags;
        }
    }

    /** A map of its own class. */
    class Attributes extends HashMap<String, Object> {
        private static final long serialVersionUID = 1L;
    }

    /** A type variable with a bound. */
    class Outcome<T extends Serializable> implements Serializable {
        private static final long serialVersionUID = 1L;

        private int code;
        private T module;

        public int getCode() {
            return code;
        }

        public void setCode(int code) {
            this.code = code;
        }

        public T getModule() {
            return module;
        }

        public void setModule(T module) {
            this.module = module;
        }
    }

    Named named(Named value);

    List<Named> namedList(List<Named> value);

    Map<String, Named> namedMap(Map<String, Named> value);

    Carrier carrier(Carrier value);

    Set<Carrier> carriers(Set<Carrier> value);

    Parcel parcel(Parcel value);

    /** Returns what has arrived, by its classes. */
    String seen(Parcel value);

    Search search(Search value);

    /** Page and tags as they have arrived. */
    String searched(Search value);

    Attributes attributes(Attributes value);

    Outcome<HashMap<Long, String>> outcome(Outcome<HashMap<Long, String>> value);

    LocalDateTime dateTime(LocalDateTime value);

    Timestamp timestamp(Timestamp value);

    java.sql.Date day(java.sql.Date value);

    Short tiny(Short value);

    /** Bits 0, 2 and 70. */
    BitSet bits();

    /** One list twice. */
    List<List<String>> shared();
}
