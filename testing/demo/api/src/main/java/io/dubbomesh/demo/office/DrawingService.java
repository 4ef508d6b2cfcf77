package io.dubbomesh.demo.office;

import java.util.List;

/** Arguments and results of subclasses, and other classes that are more than a list of fields. */
public interface DrawingService {
    double area(Shape shape);

    Shape largest(List<Shape> shapes);

    /** Returns what has arrived. */
    Drawing echo(Drawing drawing);

    String describe(Drawing drawing);

    double areaOf(Measured measured);

    Note echoNote(Note note);

    String describeNote(Note note);

    Paper next(Paper paper);

    /** Returns the point with its coordinates exchanged. */
    Point mirrored(Point point);
}
