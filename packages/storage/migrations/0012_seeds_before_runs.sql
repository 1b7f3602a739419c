-- Seeds are written before their run, because megabytes of them must not be copied while the start holds its organization's lock.
ALTER TABLE "workflow_run_seeds" ALTER CONSTRAINT "workflow_run_seeds_run_id_workflow_runs_id_fk" DEFERRABLE INITIALLY DEFERRED;
