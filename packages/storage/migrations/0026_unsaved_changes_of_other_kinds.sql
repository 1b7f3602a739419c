ALTER TABLE "unsaved_changes" ADD COLUMN "voice_configuration_id" uuid GENERATED ALWAYS AS (case when kind = 'voice_configuration' then thing_id end) STORED;--> statement-breakpoint
ALTER TABLE "unsaved_changes" ADD COLUMN "llm_config_id" uuid GENERATED ALWAYS AS (case when kind = 'llm_configuration' then thing_id end) STORED;--> statement-breakpoint
ALTER TABLE "unsaved_changes" ADD COLUMN "mcp_server_id" uuid GENERATED ALWAYS AS (case when kind = 'mcp_server' then thing_id end) STORED;--> statement-breakpoint
ALTER TABLE "unsaved_changes" ADD COLUMN "knowledge_base_id" uuid GENERATED ALWAYS AS (case when kind = 'knowledge_base' then thing_id end) STORED;--> statement-breakpoint
ALTER TABLE "unsaved_changes" ADD COLUMN "skill_id" uuid GENERATED ALWAYS AS (case when kind = 'skill' then thing_id end) STORED;--> statement-breakpoint
ALTER TABLE "unsaved_changes" ADD CONSTRAINT "unsaved_changes_voice_configuration_id_voice_configurations_id_fk" FOREIGN KEY ("voice_configuration_id") REFERENCES "public"."voice_configurations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unsaved_changes" ADD CONSTRAINT "unsaved_changes_llm_config_id_llm_configurations_id_fk" FOREIGN KEY ("llm_config_id") REFERENCES "public"."llm_configurations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unsaved_changes" ADD CONSTRAINT "unsaved_changes_mcp_server_id_mcp_servers_id_fk" FOREIGN KEY ("mcp_server_id") REFERENCES "public"."mcp_servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unsaved_changes" ADD CONSTRAINT "unsaved_changes_knowledge_base_id_knowledge_bases_id_fk" FOREIGN KEY ("knowledge_base_id") REFERENCES "public"."knowledge_bases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unsaved_changes" ADD CONSTRAINT "unsaved_changes_skill_id_skills_id_fk" FOREIGN KEY ("skill_id") REFERENCES "public"."skills"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "unsaved_changes_voice" ON "unsaved_changes" USING btree ("voice_configuration_id");--> statement-breakpoint
CREATE INDEX "unsaved_changes_model" ON "unsaved_changes" USING btree ("llm_config_id");--> statement-breakpoint
CREATE INDEX "unsaved_changes_mcp_server" ON "unsaved_changes" USING btree ("mcp_server_id");--> statement-breakpoint
CREATE INDEX "unsaved_changes_knowledge_base" ON "unsaved_changes" USING btree ("knowledge_base_id");--> statement-breakpoint
CREATE INDEX "unsaved_changes_skill" ON "unsaved_changes" USING btree ("skill_id");