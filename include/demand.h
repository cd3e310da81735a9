/*
 * A demand: what a trial uses that no other trial may use at the same time, as its harness and its benchmark config say.
 *
 *   GPUs    gpus; with mode hybrid prefill_gpus and hybrid_colocated_gpus
 *   ports   scheduler_port, master_port, and from base_worker_port one per worker, of which each GPU named has one
 *   server  the port of base_url, where server_command starts the server behind it on this machine
 *   host    the processors of the machine
 *
 * sim uses none; sangam those of its fields, defaults included; any other harness those of these fields that the
 * config gives. A named one also uses the host, with which its server and load run, unless exclusive is false; one of the user's own
 * if exclusive is true.
 */
#ifndef DEMAND_H
#define DEMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "field.h"

struct json_object;

enum { DEMAND_GPU_FIELDS = 3, DEMAND_PORT_FIELDS = 3 };

struct demand_gpus {
	const char *field;
	size_t *places;       /* in the demand's list of GPUs */
	size_t num;
};

struct demand_ports {
	const char *field;
	long first, count;    /* consecutive */
};

struct demand {
	char **gpus;          /* as the fields name them, each once */
	size_t num_gpus;
	struct demand_gpus gpu_fields[DEMAND_GPU_FIELDS];
	size_t num_gpu_fields;
	struct demand_ports port_fields[DEMAND_PORT_FIELDS];
	size_t num_port_fields;
	long server_port;     /* 0: none. Not taken from a pool: the server's own command names it */
	char *scheduler_host; /* what stands before scheduler_port in scheduler_address; NULL: that names another port */
	bool host;
	bool chooses_devices; /* the harness goes by its fields, not by CUDA_VISIBLE_DEVICES */
	bool is_simulated;    /* nothing is measured that could be disturbed */
};

/* The demand of the HARNESS of that name (NULL: a command) with CONFIG. FIELDS are its fields; NULL will do for a command. */
void demand_read(const char *harness, const struct field_table *fields, struct json_object *config, struct demand *demand);
void demand_free(struct demand *demand);

/* Whether nothing is demanded. */
bool demand_is_empty(const struct demand *demand);

/* How many ports are demanded. */
long demand_num_ports(const struct demand *demand);

#endif
