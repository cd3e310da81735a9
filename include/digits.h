/* Measured values for people: three digits, which is what a trial of some hundred requests supports at best. */
#ifndef DIGITS_H
#define DIGITS_H

enum { DIGITS_TEXT_MAX = 64 };

/* VALUE to three digits: 0.0253, 1.72, 26.3, 1230; whole numbers (counts are) as they are; without an exponent from 0.0001 to 1e9. Returns TEXT. */
char *digits_text(double value, char text[DIGITS_TEXT_MAX]);

/* The same with as many more digits as it takes to stand on the right side of THRESHOLD. */
char *digits_text_beside(double value, double threshold, char text[DIGITS_TEXT_MAX]);

/* A setting, all its digits: 2, 0.5, 1e-05. */
char *digits_exact(double value, char text[DIGITS_TEXT_MAX]);

#endif
