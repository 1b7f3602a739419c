ALTER TABLE "schedule_fires" DROP CONSTRAINT "schedule_fires_workflow_id_workflows_id_fk";
