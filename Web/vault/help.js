// Everything of this page is in its template: it can be shown at once.

document.documentElement.dataset.state = "ready";
