CREATE TABLE "knowledge_bases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"slug" text,
	"name" text NOT NULL,
	"lang" "regconfig" NOT NULL,
	"embedding_llm_config_id" uuid,
	"embedding_model_id" text,
	"dims" integer,
	"chunk_tokens" integer NOT NULL,
	"overlap_tokens" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "knowledge_bases_slug" UNIQUE("organization_id","slug"),
	CONSTRAINT "knowledge_bases_organization_id_id" UNIQUE("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "knowledge_chunks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"base_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"idx" integer NOT NULL,
	"page" integer,
	"text" text NOT NULL,
	"lang" "regconfig" NOT NULL,
	"embedding" real[],
	"dims" integer,
	"tsv" "tsvector" GENERATED ALWAYS AS (to_tsvector(lang, text)) STORED NOT NULL,
	CONSTRAINT "knowledge_chunks_idx" UNIQUE("document_id","idx")
);
--> statement-breakpoint
CREATE TABLE "knowledge_documents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"base_id" uuid NOT NULL,
	"name" text NOT NULL,
	"source" text NOT NULL,
	"url" text,
	"storage_key" text,
	"content_type" text,
	"size_bytes" bigint NOT NULL,
	"content_hash" text,
	"metadata" jsonb NOT NULL,
	"status" text NOT NULL,
	"error" text,
	"chunks" integer DEFAULT 0 NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "citations" json;--> statement-breakpoint
ALTER TABLE "knowledge_bases" ADD CONSTRAINT "knowledge_bases_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_bases" ADD CONSTRAINT "knowledge_bases_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_chunks" ADD CONSTRAINT "knowledge_chunks_document_id_knowledge_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."knowledge_documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_documents" ADD CONSTRAINT "knowledge_documents_base_fk" FOREIGN KEY ("organization_id","base_id") REFERENCES "public"."knowledge_bases"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "knowledge_bases_newest" ON "knowledge_bases" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "knowledge_chunks_base" ON "knowledge_chunks" USING btree ("base_id");--> statement-breakpoint
CREATE INDEX "knowledge_chunks_words" ON "knowledge_chunks" USING gin ("tsv");--> statement-breakpoint
CREATE UNIQUE INDEX "knowledge_documents_content" ON "knowledge_documents" USING btree ("base_id","content_hash") WHERE source <> 'url';--> statement-breakpoint
CREATE UNIQUE INDEX "knowledge_documents_url" ON "knowledge_documents" USING btree ("base_id","url") WHERE source = 'url';--> statement-breakpoint
CREATE INDEX "knowledge_documents_newest" ON "knowledge_documents" USING btree ("base_id","created_at","id");--> statement-breakpoint
CREATE INDEX "knowledge_documents_queued" ON "knowledge_documents" USING btree ("created_at","id") WHERE status = 'queued';