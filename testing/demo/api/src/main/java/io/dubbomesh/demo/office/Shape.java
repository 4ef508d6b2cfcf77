package io.dubbomesh.demo.office;

import java.io.Serializable;

/** An abstract class. No method names its subclasses, which are sealed except for polygons. */
@SuppressWarnings("serial")
public abstract sealed class Shape implements Serializable, Measured permits Circle, Polygon {
    private String name;

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }
}
