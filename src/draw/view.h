/* What part of the world a picture shows, and where it lies on the paper. */
#ifndef DRAW_VIEW_H
#define DRAW_VIEW_H

#include "draw/scene2d.h"

typedef struct view2d {
    box2d box;                       /* m, what is shown */
    double scale;                    /* pixels per metre */
    double left, top, width, height; /* pixels, where */
} view2d;

/* Box that shows the dynamic bodies but for a few that flew away, and the walls near them; its width over
   height lies in [0.25, 4].  Never empty. */
mo_status view_fit(const scene2d *scene, box2d *out, mo_error *err);
/* Whether view_fit has moving bodies to go by. */
bool view_has_heap(const scene2d *scene);
/* Widens a view so that it shows what another does; its shape stays within the same bounds. */
void view_join(box2d *view, const box2d *other);

/* A world point on the paper; y points down there. */
void view_point(const view2d *view, const double world[2], double paper[2]);
/* Whether a box touches the view widened by `margin` pixels. */
bool view_meets(const view2d *view, const box2d *box, double margin);

#endif
