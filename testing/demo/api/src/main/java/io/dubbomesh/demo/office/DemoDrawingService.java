package io.dubbomesh.demo.office;

import io.dubbomesh.demo.conformance.Description;

import java.util.Comparator;
import java.util.List;

/** The office's drawings. */
public final class DemoDrawingService implements DrawingService {
    @Override
    public double area(Shape shape) {
        return shape.area();
    }

    @Override
    public Shape largest(List<Shape> shapes) {
        return shapes.stream().max(Comparator.comparingDouble(Shape::area)).orElse(null);
    }

    @Override
    public Drawing echo(Drawing drawing) {
        return drawing;
    }

    @Override
    public String describe(Drawing drawing) {
        return Description.of(drawing);
    }

    @Override
    public double areaOf(Measured measured) {
        return measured.area();
    }

    @Override
    public Note echoNote(Note note) {
        return note;
    }

    @Override
    public String describeNote(Note note) {
        return Description.of(note);
    }

    @Override
    public Paper next(Paper paper) {
        return paper.next();
    }

    @Override
    public Point mirrored(Point point) {
        return new Point(point.y(), point.x(), point.name());
    }
}
