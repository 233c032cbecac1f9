declare module "virtual:worker" {
    const packed: string;
    export default packed;
}
declare module "*.css";
