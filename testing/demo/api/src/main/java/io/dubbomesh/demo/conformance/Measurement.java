package io.dubbomesh.demo.conformance;

import java.io.Serializable;

/** A {@code float} in a separate class: hessian-lite 4.0.4 overwrites the field after it. */
@SuppressWarnings("serial")
public final class Measurement implements Serializable {
    private float value;
    private int unit;

    public float getValue() {
        return value;
    }

    public void setValue(float value) {
        this.value = value;
    }

    public int getUnit() {
        return unit;
    }

    public void setUnit(int unit) {
        this.unit = unit;
    }
}
