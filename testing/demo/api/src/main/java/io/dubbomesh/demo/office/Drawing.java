package io.dubbomesh.demo.office;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/** Fields of an abstract class, of an interface and of collections of them. */
@SuppressWarnings("serial")
public final class Drawing implements Serializable {
    private Shape cover;
    private Measured frame;
    private List<Shape> shapes;
    private Map<String, Shape> byName;
    private Shape[] array;
    private Object anything;

    public Shape getCover() {
        return cover;
    }

    public void setCover(Shape cover) {
        this.cover = cover;
    }

    public Measured getFrame() {
        return frame;
    }

    public void setFrame(Measured frame) {
        this.frame = frame;
    }

    public List<Shape> getShapes() {
        return shapes;
    }

    public void setShapes(List<Shape> shapes) {
        this.shapes = shapes;
    }

    public Map<String, Shape> getByName() {
        return byName;
    }

    public void setByName(Map<String, Shape> byName) {
        this.byName = byName;
    }

    public Shape[] getArray() {
        return array;
    }

    public void setArray(Shape[] array) {
        this.array = array;
    }

    public Object getAnything() {
        return anything;
    }

    public void setAnything(Object anything) {
        this.anything = anything;
    }
}
